// HTTP in front of ClickHouse's engine (npm's chdb), in its own process: serves @clickhouse/client, one request at a time. It has
// no users, row policies or clusters.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

interface Engine {
  query(text: string, format: string): string;
}

const [packages = "", dataDir = "", host = "", port = "0"] = process.argv.slice(2);
const { Session } = createRequire(join(packages, "package.json"))("chdb") as {
  Session: new (path: string) => Engine;
};
const engine = new Session(dataDir);
/** Request parameters that are not settings. */
const ownParameters = /^(query|query_id|database|user|password|role|session_id|default_format|wait_end_of_query)$/;

/** Like ClickHouse's `http_max_uri_size`: the settings of a query are part of its URL. */
const addressBytesMax = 1024 ** 2;

const server = createServer({ maxHeaderSize: addressBytesMax }, (request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.destroy(error instanceof Error ? error : undefined);
  });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://bridge");
  if (url.pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  // A truncated body rejects here, so nothing is inserted.
  const body = await buffer(request);
  const { parameters, query } = await read(request, url, body);
  try {
    const text = run(query, parameters);
    response.writeHead(200, { "x-clickhouse-format": "TabSeparated" }).end(text);
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^Query failed: /, "") : String(error);
    const code = /^Code: (\d+)/.exec(message)?.[1] ?? "1";
    response.writeHead(500, { "x-clickhouse-exception-code": code }).end(message);
  }
}

async function read({ headers }: IncomingMessage, url: URL, body: Buffer) {
  const parameters = [...url.searchParams];
  const contentType = headers["content-type"] ?? "";
  if (contentType.startsWith("multipart/form-data")) {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
    for (const [name, value] of form) parameters.push([name, String(value)]);
  }
  const query = parameters.find(([name]) => name === "query")?.[1];
  if (query === undefined) return { parameters, query: body.toString() };
  return { parameters, query: contentType.startsWith("multipart/") ? query : `${query}\n${body.toString()}` };
}

function run(query: string, parameters: readonly (readonly [string, string])[]): string {
  const database = parameters.find(([name]) => name === "database")?.[1];
  const settings = parameters.filter(([name]) => !ownParameters.test(name));
  const isReadonly = settings.some(([name, value]) => name === "readonly" && value === "1");
  // The engine would keep `readonly` otherwise.
  if (isReadonly && !(/^\s*(SELECT|WITH|EXPLAIN)\b/i.test(query) && !/\bSETTINGS\b/i.test(query))) {
    throw new Error("Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)");
  }
  const changed: string[] = [];
  try {
    engine.query(`USE ${database ?? "default"}`, "Null");
    for (const [name, value] of settings) {
      if (!/^\w+$/.test(name)) throw new Error(`Code: 115. DB::Exception: Unknown setting ${name}. (UNKNOWN_SETTING)`);
      if (name === "readonly") continue;
      engine.query(`SET ${name} = '${value.replaceAll(/['\\]/g, "\\$&")}'`, "Null");
      if (!name.startsWith("param_")) changed.push(name);
    }
    return engine.query(query, "TabSeparated");
  } finally {
    for (const name of changed) engine.query(`SET ${name} = DEFAULT`, "Null");
  }
}

// The parent process has ended.
process.on("disconnect", () => process.exit());
server.listen(Number(port), host, () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});
