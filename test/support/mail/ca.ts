// A certificate authority for tests: what it signs is trusted by whoever is told so, and by nobody else.

// The library that makes certificates wants this before itself.
import "reflect-metadata";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const validity = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2100-01-01T00:00:00Z") };

/** A key and its certificate, in PEM. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface TestCa {
  /** The authority's certificate in a file, as a setting names it. */
  readonly file: string;
  /** A certificate of a server at 127.0.0.1; with `isExpired` one whose time is over. */
  serverCertificate(options?: { isExpired?: boolean }): Promise<KeyAndCertificate>;
  remove(): Promise<void>;
}

export async function testCa(): Promise<TestCa> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const name = "CN=Test authority";
  const authority = await X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name,
    keys,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [new BasicConstraintsExtension(true, 1, true), new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true)],
  });
  const dir = await mkdtemp(join(tmpdir(), "ems-test-ca-"));
  const file = join(dir, "ca.pem");
  await writeFile(file, authority.toString("pem"));
  return {
    file,
    async serverCertificate({ isExpired = false } = {}) {
      const server = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
      const cert = await X509CertificateGenerator.create({
        serialNumber: "02",
        subject: "CN=127.0.0.1",
        issuer: name,
        publicKey: server.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        ...validity,
        ...(isExpired && { notAfter: new Date("2021-01-01T00:00:00Z") }),
        extensions: [new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
      });
      const key = await crypto.subtle.exportKey("pkcs8", server.privateKey);
      return { key: PemConverter.encode(key, "PRIVATE KEY"), cert: cert.toString("pem") };
    },
    remove: () => rm(dir, { recursive: true }),
  };
}
