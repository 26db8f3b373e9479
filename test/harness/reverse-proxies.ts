// Reverse proxies in front of the product: HTTP/2 for clients, reused HTTP/1.1 connections to the gateway.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@ems/dev/free-port";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { findProgram, libraryPath, type Program } from "./debian.ts";

export interface ReverseProxy {
  /** Accepts HTTP/2 in cleartext, without an upgrade. */
  readonly url: string;
  stop(): Promise<void>;
}

interface Kind {
  readonly program: Program;
  readonly arguments: (folder: string, configFile: string) => string[];
  readonly config: (port: number, backend: string, folder: string) => string;
}

const kinds = {
  haproxy: {
    program: {
      name: "haproxy",
      package: "haproxy",
      path: "usr/sbin/haproxy",
      libraries: ["liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"],
      advice: "Install HAProxy 2.6 or later from your system's packages, so that PATH has it.",
    },
    arguments: (_folder, configFile) => ["-db", "-f", configFile],
    config: (port, backend) => `
global
  maxconn 200
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend clients
  bind 127.0.0.1:${port} proto h2
  default_backend product
backend product
  server product ${backend}
`,
  },
  nginx: {
    program: {
      name: "nginx",
      package: "nginx",
      path: "usr/sbin/nginx",
      advice: "Install nginx 1.22 or later from your system's packages, so that PATH has it.",
    },
    arguments: (folder, configFile) => ["-p", folder, "-e", "stderr", "-c", configFile, "-g", "daemon off;"],
    config: (port, backend, folder) => `
worker_processes 1;
pid ${folder}/pid;
events { worker_connections 200; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream product { server ${backend}; keepalive 8; }
  server {
    listen 127.0.0.1:${port} http2;
    client_max_body_size 32m;
    location / {
      proxy_pass http://product;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Connection "";
    }
  }
}
`,
  },
} satisfies Record<string, Kind>;

export type ProxyName = keyof typeof kinds;

/** The proxy runs without privileges, even if the tests run as root. */
const unprivileged = 65534;
const startMs = 10_000;

/** Starts the proxy in front of `baseUrl`. */
export async function startReverseProxy(name: ProxyName, baseUrl: string): Promise<ReverseProxy> {
  const kind: Kind = kinds[name];
  const binary = await findProgram(kind.program);
  const [folder, port] = [await temporaryDir(`ems-test-${name}-`), await freePort()];
  await chmod(folder, 0o777);
  await mkdir(join(folder, "logs"));
  const configFile = join(folder, "proxy.conf");
  await writeFile(configFile, kind.config(port, new URL(baseUrl).host.replace("localhost", "127.0.0.1"), folder));
  const ids = process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {};
  const env = { ...process.env, LD_LIBRARY_PATH: libraryPath(kind.program) };
  const child = spawn(binary, kind.arguments(folder, configFile), { ...ids, env, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (data) => {
    output += data;
  });
  const ended = once(child, "exit").catch((error: unknown) => {
    output += String(error);
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  for (const untilMs = performance.now() + startMs; !(await isListening(port)); await delay(50)) {
    if (child.exitCode === null && performance.now() < untilMs) continue;
    await stop();
    throw new Error(`${name} does not listen: ${output}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}
