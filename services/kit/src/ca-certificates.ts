import { readFile } from "node:fs/promises";
import { getCACertificates } from "node:tls";

/** The certificates of the system's authorities, and those in the file that `setting` names. */
export async function caCertificates(setting: string, file: string): Promise<string[]> {
  const pem = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${setting} cannot be read (${error.code})`);
  });
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error(`${setting} holds no certificate in PEM`);
  return [...getCACertificates("default"), pem];
}
