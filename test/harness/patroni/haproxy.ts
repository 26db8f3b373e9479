// HAProxy in front of a Patroni cluster, as configured in deploy/guides/failover.md.

import type { Member } from "./member.ts";

/** Forwards to the member that reports to be the primary, and closes connections to a former primary. */
export function haproxyConfiguration(port: number, members: readonly Member[]): string {
  const servers = members.map(
    (member) => `  server ${member.name} 127.0.0.1:${member.port} maxconn 200 check port ${member.restPort}`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`;
}
