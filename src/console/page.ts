// The page as an import, of which the bundler makes its files.
import page from "./page/index.html";
import type { ImportedPage } from "../ports/page-files.ts";

export const PAGE: ImportedPage = page;
