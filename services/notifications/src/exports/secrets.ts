import { places, type SecretBox } from "../secret-box.ts";
import type { ExportSettingRow } from "./entity.ts";

export function sealSecret(box: SecretBox, applicationId: string, secretAccessKey: string): string {
  return box.seal(secretAccessKey, places.exportSecret(applicationId));
}

export function openSecret(
  box: SecretBox,
  { applicationId, secret }: Pick<ExportSettingRow, "applicationId" | "secret">,
): string {
  return box.open(secret, places.exportSecret(applicationId));
}
