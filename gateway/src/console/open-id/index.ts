export { OpenIdProvider } from "./provider.ts";
export { registerOpenId } from "./register.ts";
