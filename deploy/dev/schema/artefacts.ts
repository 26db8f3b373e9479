// Builds the schema artifacts of a release from the API contract.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newPrivateKeys } from "@ems/deploy/keys";
import { gatewayConfig } from "@ems/gateway/config";
import { eventSchemas } from "@ems/gateway/event-schemas";
import { openApiDocument } from "@ems/gateway/openapi/document";
import { listRoutes } from "@ems/gateway/rest/routes";
import { listPublicKeys } from "@ems/kit/rpc/tokens/keys";
import { printProto } from "@ems/proto/publish/print";
import { published } from "@ems/proto/published";
import { services } from "@ems/proto/services";
import { publishedComments } from "./notes.ts";

const routes = listRoutes(services);

/** Returns the published proto files, by path. */
export function protoTree(): Map<string, string> {
  const comments = publishedComments(routes);
  const ours = published.file.filter(({ name }) => name.startsWith("ems/"));
  return new Map(ours.map((file) => [file.name, printProto(file, (name) => comments.get(name) ?? "")]));
}

/** Returns JSON Schemas of events, in the form delivered to webhooks, by path. */
export function eventFiles(): Map<string, string> {
  const text = (schema: object) => `${JSON.stringify(schema, null, 2)}\n`;
  return new Map(Object.entries(eventSchemas()).map(([type, schema]) => [`${type}.schema.json`, text(schema)]));
}

/** Returns the OpenAPI document of a gateway with default settings. */
export function openApi(version: string): string {
  const keys = newPrivateKeys();
  const config = gatewayConfig({ RPC_PRIVATE_KEY: keys.gateway, RPC_PUBLIC_KEYS: listPublicKeys(keys) });
  return `${JSON.stringify(openApiDocument(routes, { version, config }), null, 2)}\n`;
}

export function writeTree(directory: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

/** Writes the descriptor set of a proto tree with its comments. */
export function descriptorSet(tree: string, out: string): void {
  execFileSync("buf", ["build", tree, "--as-file-descriptor-set", "-o", out], { stdio: "inherit" });
}

/** Packs `@ems/proto` for `npm publish`: JavaScript and types, because Node does not strip types of installed packages. */
export function npmPackage(tree: string, version: string, out: string): void {
  const directory = mkdtempSync(join(tmpdir(), "ems-proto-"));
  try {
    const folder = join(directory, "package");
    const plugin = { local: "protoc-gen-es", out: folder, opt: ["target=js+dts", "import_extension=js"] };
    const template = JSON.stringify({ version: "v2", plugins: [plugin] });
    execFileSync("buf", ["generate", tree, "--template", template], { stdio: "inherit" });
    writeTree(folder, new Map([["package.json", `${JSON.stringify(manifest(version), null, 2)}\n`]]));
    execFileSync("tar", ["-czf", out, "-C", directory, "package"]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function manifest(version: string): object {
  // Read the manifest by path, because the package's `exports` do not include it.
  const runtime = join(dirname(createRequire(import.meta.url).resolve("@bufbuild/protobuf")), "../../package.json");
  const { version: needed }: { version: string } = JSON.parse(readFileSync(runtime, "utf8"));
  return {
    name: "@ems/proto",
    version,
    description: "Messages and services of the Evaluation Management Service, for protobuf-es and Connect",
    license: "Apache-2.0",
    type: "module",
    sideEffects: false,
    exports: { "./*": { types: "./ems/*_pb.d.ts", default: "./ems/*_pb.js" } },
    dependencies: { "@bufbuild/protobuf": `^${needed}` },
  };
}
