// A certificate authority for tests, and valid and invalid certificates.

// The certificate library requires this import before its own.
import "reflect-metadata";
import { X509Certificate as Certificate, createPrivateKey, type KeyObject, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type GeneralNameType,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

export interface KeyAndCertificate {
  /** PEM, as TLS servers take them. */
  readonly key: string;
  readonly cert: string;
}

interface IssueOptions {
  readonly expired?: boolean;
  readonly renewed?: KeyAndCertificate;
}

export interface TestCa {
  /** PEM, for `WEBHOOK_CA_FILE`. */
  readonly cert: string;
  /** A certificate for `names` (hosts, addresses). `expired` ended years ago; `renewed` is a second one for its key. */
  issue(names: readonly string[], options?: IssueOptions): Promise<KeyAndCertificate>;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const longAgo = new Date("2020-01-01T00:00:00Z");
const longAgoToo = new Date("2021-01-01T00:00:00Z");
const farAhead = new Date("2099-01-01T00:00:00Z");

let serial = 0;
const nextSerial = () => (++serial).toString(16).padStart(8, "0");

export async function createTestCa(name = "Test CA"): Promise<TestCa> {
  const keys = await newKeys();
  const ca = await X509CertificateGenerator.createSelfSigned({
    serialNumber: nextSerial(),
    name: `CN=${name}`,
    notBefore: longAgo,
    notAfter: farAhead,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    cert: ca.toString("pem"),
    issue: async (names, { expired = false, renewed } = {}) => {
      const { publicKey, privateKey } = renewed === undefined ? await newKeys() : await exportKeys(renewed);
      const cert = await X509CertificateGenerator.create({
        serialNumber: nextSerial(),
        subject: "CN=receiver",
        issuer: ca.subject,
        notBefore: longAgo,
        notAfter: expired ? longAgoToo : farAhead,
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [...serverExtensions(names), await AuthorityKeyIdentifierExtension.create(keys.publicKey)],
      });
      return asPem(cert, privateKey);
    },
  };
}

/** Creates a self-signed certificate. */
export async function selfSigned(names: readonly string[]): Promise<KeyAndCertificate> {
  const keys = await newKeys();
  const cert = await X509CertificateGenerator.createSelfSigned({
    serialNumber: nextSerial(),
    name: "CN=receiver",
    notBefore: longAgo,
    notAfter: farAhead,
    keys,
    signingAlgorithm: algorithm,
    extensions: serverExtensions(names),
  });
  return asPem(cert, keys.privateKey);
}

function serverExtensions(names: readonly string[]) {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension(
      names.map((name) => ({ type: (isIP(name) === 0 ? "dns" : "ip") as GeneralNameType, value: name })),
    ),
  ];
}

async function asPem(cert: X509Certificate, privateKey: webcrypto.CryptoKey): Promise<KeyAndCertificate> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", privateKey));
  const key: KeyObject = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return {
    key: key.export({ format: "pem", type: "pkcs8" }).toString(),
    cert: new Certificate(Buffer.from(cert.rawData)).toString(),
  };
}

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

async function exportKeys({ key, cert }: KeyAndCertificate) {
  const ofPublic = new Certificate(cert).publicKey.export({ format: "der", type: "spki" });
  const ofPrivate = createPrivateKey(key).export({ format: "der", type: "pkcs8" });
  return {
    publicKey: await webcrypto.subtle.importKey("spki", ofPublic, algorithm, true, ["verify"]),
    privateKey: await webcrypto.subtle.importKey("pkcs8", ofPrivate, algorithm, true, ["sign"]),
  };
}
