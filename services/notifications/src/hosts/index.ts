export { addressPolicy, canonicalAddress, isCidr } from "./addresses.ts";
export { type PortRange, usualPorts } from "./ports.ts";
export { createPublicHosts, type PublicHosts, type Target } from "./public-host.ts";
