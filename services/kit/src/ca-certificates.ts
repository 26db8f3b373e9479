import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";

/** The system's CA certificates and those in `file`, which `setting` names. */
export async function caCertificates(setting: string, file: string): Promise<string[]> {
  const pem = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${setting} cannot be read (${error.code})`);
  });
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error(`${setting} holds no certificate in PEM`);
  return [...getCACertificates("default"), pem];
}
