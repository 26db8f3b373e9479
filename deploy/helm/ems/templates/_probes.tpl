{{- /* (list root name process) */ -}}
{{- define "ems.probes" -}}
{{- $probes := (index . 0).Values.probes -}}
{{- $common := dict "periodSeconds" $probes.periodSeconds "timeoutSeconds" $probes.timeoutSeconds "failureThreshold" $probes.failureThreshold -}}
{{- $live := dict "httpGet" (dict "path" "/livez" "port" "admin") -}}
{{- $ready := dict "httpGet" (dict "path" "/readyz" "port" "admin") -}}
{{- if and (eq $probes.readiness "grpc") (ne (index . 1) "gateway") -}}
{{- $ready = dict "grpc" (dict "port" (index . 2).port) -}}
{{- end -}}
startupProbe:
  {{- toYaml (merge (dict "periodSeconds" 2 "failureThreshold" (div (add (int $probes.startupSeconds) 1) 2)) $live $common) | nindent 2 }}
livenessProbe:
  {{- toYaml (merge (dict) $live $common) | nindent 2 }}
readinessProbe:
  {{- toYaml (merge (dict) $ready $common) | nindent 2 }}
{{- end -}}
