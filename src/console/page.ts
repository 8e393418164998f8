// The page, as the runtime imports it: a bundler makes its files.
import page from "./page/index.html";
import type { ImportedPage } from "../ports/page-files.ts";

export const PAGE: ImportedPage = page;
