// A TCP proxy that can hold answers: a request reaches the server, and its client never learns of it.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface AnswerProxy {
  readonly port: number;
  /** Holds answers from now on; resolves when the server has answered. */
  hold(): Promise<void>;
  /** Lets answers pass again, on new connections. */
  release(): void;
  close(): Promise<void>;
}

export async function startAnswerProxy(targetPort: number): Promise<AnswerProxy> {
  let held: PromiseWithResolvers<void> | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(targetPort, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (chunk) => (held === undefined ? near.write(chunk) : held.resolve()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      held = Promise.withResolvers();
      return held.promise;
    },
    release: () => {
      held = undefined;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
