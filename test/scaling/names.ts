// Preloaded by processes: names that the file of EMS_TEST_HOSTS has lead to its addresses, as a cluster's name service says.

import { readFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";

// The mutable copy of the module.
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
