import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";

/** Returns the system's CA certificates and those in `file`; `setting` is the variable's name for errors. */
export async function caCertificates(setting: string, file: string): Promise<string[]> {
  const pem = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${setting} cannot be read (${error.code})`);
  });
  if (!pem.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`${setting} must contain at least one certificate in PEM`);
  return [...getCACertificates("default"), pem];
}
