// A certificate and its key from files, which may be replaced while the process runs.

import { readFileSync } from "node:fs";
import { checkServerIdentity, createSecureContext, type PeerCertificate } from "node:tls";
import type { Logger } from "../log.ts";

/** Data by which clients verify a service's certificate. */
export interface PeerTls {
  /** The only trusted certificates (PEM). */
  readonly authorities: Buffer;
  /** The service's name in the mesh. */
  readonly name: string;
}

/** Reads trusted certificates. Throws one sentence if the file has none. */
export function readAuthorities(setting: string, file: string): Buffer {
  try {
    const authorities = readFileSync(file);
    if (!authorities.includes("-----BEGIN CERTIFICATE-----")) throw new Error("it contains no certificate");
    createSecureContext({ ca: authorities });
    return authorities;
  } catch (error) {
    throw new Error(`${setting} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Accepts a certificate for any of the names: that of the service in the mesh, or a host of its address. */
export function verifyPeer(names: readonly string[]) {
  return (_host: string, certificate: PeerCertificate): Error | undefined => {
    const faults = names.map((name) => checkServerIdentity(name, certificate));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}

export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

export interface Tls {
  readonly files: CertificateAndKey;
  /** Calls `listener` with each new pair; returns a function that stops this. */
  onRenewed(listener: (files: CertificateAndKey) => void): () => void;
}

/**
 * Kubernetes replaces a mounted secret by moving a link, which file watchers miss: both files are read periodically.
 */
const renewalMs = 10_000;

/** Reads certificate and key; undefined if neither is set. Throws one sentence if the files are unusable. */
export function readTls(
  names: { readonly cert: string; readonly key: string },
  { cert: certFile, key: keyFile }: { readonly cert?: string | undefined; readonly key?: string | undefined },
  log: Logger,
  everyMs = renewalMs,
): Tls | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new Error(`${names.cert} and ${names.key} must be set together`);
  const read = (): CertificateAndKey => {
    try {
      const files = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
      createSecureContext(files);
      return files;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${names.cert} and ${names.key} must be a certificate and its key: ${reason}`);
    }
  };
  const files = read();
  return {
    files,
    onRenewed(listener) {
      let current = files;
      const renew = () => {
        try {
          const next = read();
          if (next.cert === current.cert && next.key === current.key) return;
          current = next;
          listener(next);
          log.info({ file: certFile }, "certificate renewed");
        } catch (error) {
          // While only one file has been replaced, the pair does not match.
          log.warn({ err: error }, "the certificate is not renewed");
        }
      };
      const timer = setInterval(renew, everyMs).unref();
      return () => clearInterval(timer);
    },
  };
}
