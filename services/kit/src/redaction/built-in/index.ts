// Patterns for personal and secret data. Each finds only certain matches (checksum, prefix or form), in linear time.

import { apiKeys } from "./api-keys.ts";
import { creditCards } from "./credit-cards.ts";
import { emails } from "./emails.ts";
import { ibans } from "./ibans.ts";
import { ipAddresses } from "./ip-addresses.ts";
import { phones } from "./phones.ts";
import type { Find } from "./range.ts";

export const builtIns = {
  EMAIL: emails,
  PHONE: phones,
  CREDIT_CARD: creditCards,
  IBAN: ibans,
  IP_ADDRESS: ipAddresses,
  API_KEY: apiKeys,
} as const satisfies Record<string, Find>;
