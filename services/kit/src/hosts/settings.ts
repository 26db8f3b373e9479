import { isIPv4, isIPv6 } from "node:net";
import { list, z } from "../config.ts";
import { isCidr } from "./addresses.ts";

/** Parses CIDR blocks of addresses, joined by commas. */
export const cidrs = () =>
  list().pipe(z.array(z.string().refine(isCidr, "must be blocks of addresses, such as 10.1.0.0/16")));

/** Settings of services that call hosts of customers. */
export const hostsConfig = {
  DNS_SERVERS: list()
    .pipe(z.array(z.string().refine(isServer, "must be addresses, with or without a port")))
    .default([])
    .describe(
      "Name servers for hosts of webhooks and models, `address` or `address:port` joined by commas. Unset: the machine's own.",
    ),
};

function isServer(text: string): boolean {
  const [, ipv6, ipv4, port = "53"] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIPv6(ipv6 ?? "") || isIPv4(ipv4 ?? "")) && Number(port) > 0 && Number(port) < 65_536;
}
