// Preloaded by processes: resolves the names in the file EMS_TEST_HOSTS to their addresses, like a cluster's DNS.

import { readFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";

// A mutable copy of the module.
const dns = createRequire(import.meta.url)("node:dns/promises") as { lookup: (...all: unknown[]) => Promise<unknown> };
const system = dns.lookup;
dns.lookup = async (host, ...rest) => {
  const hosts: Record<string, string[]> = JSON.parse(readFileSync(process.env.EMS_TEST_HOSTS ?? "", "utf8"));
  const found = hosts[String(host)];
  if (found === undefined) return system(host, ...rest);
  if (found.length === 0) throw Object.assign(new Error(`${host} has no addresses`), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: 4 }));
};
syncBuiltinESMExports();
