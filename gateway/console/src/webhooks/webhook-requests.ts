// API requests of the webhook and delivery pages.

import { del, get, post, type Schemas } from "../api/request.ts";
import { type DeliverySearch, deliveryUrl } from "./delivery-search.ts";

export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["Delivery"];
export type DeliveryAttempt = Schemas["DeliveryAttempt"];

/** Paths of queries to refresh after the webhook or a delivery changes. */
export const refreshedByWebhook = ["/v0/webhook"] as const;

export const getWebhook = () => get("/v0/webhook");
export const setWebhook = (body: Schemas["SetWebhookRequest"]) => post("/v0/webhook", { body });
export const deleteWebhook = () => del("/v0/webhook");
export const rotateSecret = () => post("/v0/webhook/rotate-secret");
export const testWebhook = () => post("/v0/webhook/test");
export const listDeliveries = (search: DeliverySearch) =>
  get("/v0/webhook/deliveries", { params: { query: deliveryUrl.query(search) } });
export const getDelivery = (id: string) => get("/v0/webhook/deliveries/{id}", { params: { path: { id } } });
export const resendDelivery = (id: string) => post("/v0/webhook/deliveries/{id}/resend", { params: { path: { id } } });
export const recoverDeliveries = (since: string) => post("/v0/webhook/recover", { body: { since } });
