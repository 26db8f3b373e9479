import { serve } from "@ems/kit/serve";
import { notificationsConfig, notificationsPeers } from "./config.ts";
import { createNotifications } from "./service.ts";

const { env } = process;
await serve(
  "notifications",
  { config: () => notificationsConfig(env), peers: () => notificationsPeers(env) },
  createNotifications,
);
