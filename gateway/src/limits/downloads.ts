// Files that anybody may ask for without a key: megabytes for a line of text. Each address has a share of what is sent at one time.

import { Shares } from "@ems/kit/limits/shares";
import type { FastifyInstance } from "fastify";
import { clientNetwork } from "../auth/client-address.ts";
import { refusal } from "./rejection.ts";

/** Downloads that are not taken yet; a page of the reference is three. */
const limits = { max: 128, maxPerKey: 16 };

/** Limits the routes of `app`. */
export function limitDownloads(app: FastifyInstance): void {
  const places = new Shares({ ...limits, refuse: refusal("downloads", "Too many downloads", "address") });
  app.addHook("onRequest", ({ ip }, { raw: response }, done) => {
    const address = clientNetwork(ip);
    if (!places.tryEnter(address)) return done(places.refusal(address));
    response.once("close", () => places.leave(address));
    done();
  });
}
