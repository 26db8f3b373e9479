export { type SecretBox, secretBox } from "@ems/kit/secret-box";

/** Places where encrypted secrets are stored; the encryption binds each secret to its row. */
export const places = {
  webhookSecret: (applicationId: string): string => `${applicationId}/secret`,
  webhookHeaders: (applicationId: string): string => `${applicationId}/headers`,
  exportSecret: (applicationId: string): string => `${applicationId}/export-secret`,
  feedback: ({ applicationId, id }: { readonly applicationId: string; readonly id: string }): string =>
    `${applicationId}/feedback/${id}`,
};
