export { addressPolicy, canonicalAddress, isCidr } from "./addresses.ts";
export { type CheckedAnswer, type CheckedHttp, type CheckedHttpOptions, createCheckedHttp } from "./checked-http.ts";
export { ConnectFailure, type ConnectOptions, connectChecked, pinnedLookup, tlsContext } from "./connect.ts";
export { isPortIn, type PortRange, usualPorts } from "./ports.ts";
export { createPublicHosts, type PublicHosts, type Target } from "./public-host.ts";
export { cidrs, hostsConfig } from "./settings.ts";
