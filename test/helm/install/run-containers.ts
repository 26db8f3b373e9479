// Runs a pod's containers as processes of this machine, one after the other, as a node runs those of a Job.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Manifest } from "../render.ts";

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

/** Secrets by name; the values of each by key. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

const main = join(import.meta.dirname, "../../../deploy/main.ts");

/** Runs the containers and returns their output; throws if one fails. */
export async function runContainers(spec: Manifest, secrets: Secrets): Promise<string> {
  let output = "";
  for (const { name, args, env } of [...(spec.initContainers ?? []), ...spec.containers]) {
    const variables = (env as Variable[]).map(({ name: variable, value, valueFrom }) => {
      const { name: secret = "", key = "" } = valueFrom?.secretKeyRef ?? {};
      const text = value ?? secrets[secret]?.[key];
      if (text === undefined) throw new Error(`${name} needs ${variable} of the Secret ${secret}, key ${key}`);
      return [variable, text];
    });
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...args], {
      env: Object.fromEntries(variables),
    });
    output += stdout + stderr;
  }
  return output;
}
