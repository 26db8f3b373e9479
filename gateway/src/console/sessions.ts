// Sessions of the console: begun by a sign-in, renewed by use, ended by sign-out, by age, or with their API key or membership.

import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Seal } from "./seal.ts";
import { clearSession, idleMs, readSession, type Session, type SessionOwner, writeSession } from "./session-cookie.ts";

/** A session in use is renewed at most so often. */
const renewalMs = 10 * 60_000;
/** Sessions that were signed out lately. */
const endedMax = 20_000;

export class Sessions {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #issuer: string | undefined;
  /** A copy of a cookie, or a renewal on its way during the sign-out, is of no use at this process. */
  readonly #ended = new LRUCache<string, true>({ ...entriesAtMost(endedMax), ttl: idleMs });

  /** People sign in at `issuer`; sessions of another one end with the setting. */
  constructor(seal: Seal, { clock, newId }: { readonly clock: Clock; readonly newId: NewId }, issuer?: string) {
    this.#issuer = issuer;
    this.#seal = seal;
    this.#clock = clock;
    this.#newId = newId;
  }

  of(request: FastifyRequest): Session | undefined {
    const session = readSession(this.#seal, request, this.#nowMs());
    if (session === undefined || this.#ended.has(session.id)) return undefined;
    return "person" in session && session.person.issuer !== this.#issuer ? undefined : session;
  }

  /** Begins a session with an id of its own; one that the browser had ends. */
  begin(reply: FastifyReply, owner: SessionOwner): Session {
    const before = this.of(reply.request);
    if (before !== undefined) this.#ended.set(before.id, true);
    const nowMs = this.#nowMs();
    const session = { ...owner, id: this.#newId(), signedInMs: nowMs, renewedMs: nowMs };
    writeSession(this.#seal, reply, session, nowMs);
    return session;
  }

  /** Slides the session's end, once it was used. */
  renew(reply: FastifyReply, session: Session): Session {
    const nowMs = this.#nowMs();
    if (nowMs - session.renewedMs < renewalMs) return session;
    const renewed = { ...session, renewedMs: nowMs };
    writeSession(this.#seal, reply, renewed, nowMs);
    return renewed;
  }

  /** The same sign-in, for another application. */
  switchTo(reply: FastifyReply, session: Session, owner: SessionOwner): Session {
    const { id, signedInMs } = session;
    const nowMs = this.#nowMs();
    const switched = { ...owner, id, signedInMs, renewedMs: nowMs };
    writeSession(this.#seal, reply, switched, nowMs);
    return switched;
  }

  end(reply: FastifyReply): void {
    const session = this.of(reply.request);
    if (session !== undefined) this.#ended.set(session.id, true);
    clearSession(reply);
  }

  #nowMs(): number {
    return this.#clock.now().getTime();
  }
}
