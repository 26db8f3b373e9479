import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { listPublicKeys, newPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { type Authorize, callerTokens } from "@ems/kit/rpc/tokens/sign";

const gateway = newPrivateKey();

/** Keys of a mesh, of which tests have the gateway's, as environment variables of a process. */
export const testKeys = { RPC_PRIVATE_KEY: gateway, RPC_PUBLIC_KEYS: listPublicKeys({ gateway }) };

export interface TestCaller {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Tokens of the gateway for a service. */
  readonly tokensFor: (audience: string) => Authorize;
}

/** A process of that name with its own key. */
export function testCaller(name: string): TestCaller {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { name, privateKey, publicKey: createPublicKey(privateKey), tokensFor: callerTokens(name, privateKey) };
}
