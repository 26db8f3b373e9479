// Ports of HTTPS servers, excluding those of other protocols. This prevents cross-protocol attacks: a request contains
// bytes of a customer's choice, sent from the product's network.

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Ports above 1023: bad ports of the fetch standard, databases, brokers and cluster software. */
// biome-ignore format: several in a line
const otherProtocols = [
  // SOCKS, RMI, proxies, MQTT.
  1080, 1099, 3128, 1883, 8883,
  // SQL Server, Oracle, MySQL, PostgreSQL and its poolers.
  1433, 1434, 1521, 3306, 5432, 5433, 6432,
  // H.323, PPTP, NFS, AirPlay, lockd, Sieve, SIP, X11, SANE, IRC, Amanda.
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
  // ZooKeeper, Docker, etcd, Kubernetes.
  2181, 2375, 2376, 2379, 2380, 6443, 10_250, 10_255, 10_256,
  // iSCSI, RDP, VNC, WinRM.
  3260, 3389, 5900, 5901, 5985, 5986,
  // NATS, Erlang, AMQP, Kafka, STOMP, ActiveMQ.
  4222, 6222, 8222, 4369, 5671, 5672, 9092, 9093, 9094, 61_613, 61_616,
  // CouchDB, Redis, Cassandra, JMX, Neo4j, InfluxDB, Consul, Vault, Elasticsearch, memcached, MongoDB.
  5984, 6379, 6380, 16_379, 26_379, 7000, 7001, 7199, 9042, 9160, 7474, 7687, 8086, 8200, 8300, 8301, 8500,
  9200, 9300, 11_211, 27_017, 27_018, 27_019,
];

/** 443, and all ports from 1024 without a well-known protocol. */
export const usualPorts: readonly PortRange[] = [{ first: 443, last: 443 }, ...without(1024, 65_535, otherProtocols)];

export function isPortIn(ranges: readonly PortRange[], port: number): boolean {
  return ranges.some(({ first, last }) => first <= port && port <= last);
}

/** Ranges from `first` to `last` without those ports. */
function without(first: number, last: number, ports: readonly number[]): PortRange[] {
  const sorted = [...new Set(ports)].sort((a, b) => a - b);
  const starts = [first, ...sorted.map((port) => port + 1)];
  const ends = [...sorted.map((port) => port - 1), last];
  return starts
    .map((start, at) => ({ first: start, last: ends[at] ?? last }))
    .filter((range) => range.first <= range.last);
}
