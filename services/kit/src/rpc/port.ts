// One port for HTTP/1.1 and HTTP/2. In cleartext the protocol follows from the first bytes of a connection, which in
// HTTP/2 are a preface; over TLS from negotiation (ALPN).

import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from "node:tls";
import type { Tls } from "./tls.ts";

export interface PortOptions {
  readonly tls?: Tls | undefined;
  /** Called with a connection of which no data has been consumed yet. */
  readonly onHttp1: (socket: Socket) => void;
  readonly onHttp2: (socket: Socket) => void;
}

const http2Preface = Buffer.from("PRI * HTTP/2.0");

/** Time after which a connection without data, or without a finished TLS handshake, is closed. */
const firstBytesMs = 10_000;

/** Creates a server that does not listen yet; its event `connection` is for TCP connections. */
export function createPort({ tls, onHttp1, onHttp2 }: PortOptions): Server {
  if (tls === undefined) return createServer({ noDelay: true }, (socket) => byPreface(socket, onHttp1, onHttp2));
  const options = { ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: firstBytesMs, minVersion: "TLSv1.2" } as const;
  const server = createTlsServer({ ...options, ...tls.files, noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    byProtocol(socket, onHttp1, onHttp2);
  });
  // Close the connection: a failed handshake is the client's error.
  server.on("tlsClientError", (_error: Error, socket: TLSSocket) => socket.destroy());
  renewed(server, tls);
  return server;
}

function byProtocol(socket: TLSSocket, onHttp1: PortOptions["onHttp1"], onHttp2: PortOptions["onHttp2"]): void {
  if (socket.alpnProtocol === "h2") onHttp2(socket);
  else onHttp1(socket);
}

function byPreface(socket: Socket, onHttp1: PortOptions["onHttp1"], onHttp2: PortOptions["onHttp2"]): void {
  socket.on("error", () => socket.destroy());
  const silent = () => socket.destroy();
  socket.setTimeout(firstBytesMs, silent);
  socket.once("data", (first) => {
    socket.setTimeout(0);
    socket.off("timeout", silent);
    socket.pause();
    socket.unshift(first);
    const bytes = Buffer.from(first).subarray(0, http2Preface.length);
    if (bytes.equals(http2Preface.subarray(0, bytes.length))) return onHttp2(socket);
    onHttp1(socket);
    // HTTP/1.1 reads from the stream, which was paused; an HTTP/2 session takes over the socket's handle.
    process.nextTick(() => socket.resume());
  });
}

/** Uses the new certificate for new connections. */
function renewed(server: TlsServer, tls: Tls): void {
  const stop = tls.onRenewed((files) => server.setSecureContext(files));
  server.once("close", stop);
}
