// The files of a web page. They are built from source, or found in the program when it is compiled.
import { basename } from "node:path";
import type { ImportedPage, PageFile } from "../ports/page-files.ts";

export async function pageFiles({ index, files }: ImportedPage): Promise<PageFile[]> {
  if (files !== undefined) {
    return await Promise.all(
      files.map(async ({ path, loader }) =>
        fileOf(loader === "html" ? "" : basename(path), Bun.file(path).type, await Bun.file(path).bytes()),
      ),
    );
  }
  const { outputs } = await Bun.build({
    entrypoints: [index],
    target: "browser",
    minify: true,
    // Otherwise packages would be built for development.
    define: { "process.env.NODE_ENV": '"production"' },
    publicPath: "/",
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
  });
  return await Promise.all(
    outputs.map(async (output) =>
      fileOf(
        output.path.endsWith(".html") ? "" : basename(output.path),
        output.type,
        new Uint8Array(await output.arrayBuffer()),
      ),
    ),
  );
}

function fileOf(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): PageFile {
  return { name, type, bytes: name === "" ? besideItsParts(bytes) : bytes };
}

/** The bundler names parts from the root of the server. The page may be served at any path, so it names the parts relative to itself. */
function besideItsParts(html: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(new TextDecoder().decode(html).replace(/ (src|href)="\//g, ' $1="./'));
}
