import { expect, test } from 'vitest';
import { readVariables } from '../../../src/config/environment.ts';
import { unheardTracing } from '../../../src/config/tracing-variables.ts';
import { validValues } from '../../support/variables.ts';

const generated = {
  OPERATOR_TOKEN: validValues['OPERATOR_TOKEN'] ?? '',
  MASTER_KEY: validValues['MASTER_KEY'] ?? '',
};

test('a variable of OpenTelemetry that does nothing here is told, and refuses no start', () => {
  const unheard = { OTEL_EXPORTER_OTLP_ENDPONIT: 'http://x', OTEL_SDK_DISABLED: 'true', otel_service_name: 'x' };
  expect(unheardTracing({ ...unheard, PATH: '/bin' })).toEqual(Object.keys(unheard));
  expect(readVariables(generated, unheard).embedded).toBe(true);
});

test('one that is honoured is not', () => {
  const honoured = [
    'OTEL_SERVICE_NAME',
    'OTEL_EXPORTER_OTLP_HEADERS_FILE',
    'OTEL_BSP_MAX_QUEUE_SIZE',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
  ];
  expect(unheardTracing(Object.fromEntries(honoured.map((name) => [name, '1'])))).toEqual([]);
});
