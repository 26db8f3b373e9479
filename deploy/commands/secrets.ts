// `secrets`: prints the environment file of deploy/compose.yaml with generated secrets.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { secureRandom } from "@ems/kit/id";
import { keyVariables, newPrivateKeys } from "../keys.ts";

const example = await readFile(join(import.meta.dirname, "../compose.env.example"), "utf8");
const rpcKeys = keyVariables(newPrivateKeys());
process.stdout.write(example.replaceAll(/^([A-Z_]+)=$/gm, (_, name: string) => `${name}=${secret(name)}`));

function secret(name: string): string {
  const key = rpcKeys[name];
  if (key !== undefined) return key;
  const bytes = secureRandom(32);
  return name === "SEALING_KEYS" ? `k1:${bytes.toString("base64")}` : bytes.toString("hex");
}
