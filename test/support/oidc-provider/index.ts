// A real OpenID Connect provider on the loopback address, and an HTTP client that signs in like a browser.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ProviderSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly signedOutUris: readonly string[];
  /** Claims by login name. People who are not listed have a verified address derived from their login name. */
  readonly people: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Default: a free port. */
  readonly port?: number;
}

export interface RunningProvider {
  readonly issuer: string;
  readonly port: number;
  /** The gateway's settings for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Signs in as `person` from the gateway's redirect; returns the provider's redirect to the gateway. */
  signIn(url: string, person: string, answer?: "yes" | "no"): Promise<string>;
  stop(): Promise<void>;
}

const client = { clientId: "ems", clientSecret: "a secret of a test" };

/** Starts a provider with `people` for the gateway at `publicUrl`. */
export async function startOidcProvider(
  publicUrl: string,
  people: ProviderSettings["people"],
  port?: number,
): Promise<RunningProvider> {
  const settings: ProviderSettings = {
    ...client,
    people,
    redirectUris: [`${publicUrl}/console/api/open-id/callback`],
    signedOutUris: [`${publicUrl}/sign-in`],
    ...(port !== undefined && { port }),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, "server.ts"), JSON.stringify(settings)], {
    // It warns that its storage is volatile, which is intended.
    stdio: ["ignore", "pipe", "ignore"],
  });
  const listening = await firstLine(child);
  const issuer = `http://127.0.0.1:${listening}`;
  return {
    issuer,
    port: listening,
    env: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_NAME: "Acme",
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
    },
    signIn: (url, person, answer = "yes") => signIn(url, new URLSearchParams({ person, answer }), publicUrl),
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}

async function firstLine(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("the provider has no output");
  for await (const line of createInterface({ input: child.stdout })) if (/^\d+$/.test(line)) return Number(line);
  throw new Error("the provider did not start");
}

/** Like a browser: stores cookies and follows redirects until one leads to the gateway. */
async function signIn(first: string, form: URLSearchParams, publicUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, body] = [first, undefined as URLSearchParams | undefined];
  for (let steps = 0; steps < 20; steps++) {
    if (url.startsWith(`${publicUrl}/`)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(body !== undefined && { method: "POST", body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = answer.headers.get("location");
    if (location === null && (body !== undefined || !answer.ok))
      throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    body = location === null ? form : undefined;
    url = location === null ? url : new URL(location, url).href;
  }
  throw new Error("the provider redirects in a circle");
}
