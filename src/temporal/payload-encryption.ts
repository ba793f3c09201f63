import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload } from '@temporalio/common';
import { createPayloadCodec, type PayloadKeys } from './payload-codec.ts';

/** The converter for every client and worker and, through `failureConverterPath`, for the Workflow bundle. */
export function encryptedPayloads(ring: PayloadKeys): DataConverter & { failureConverterPath: string } {
  return {
    payloadCodecs: [createPayloadCodec(ring)],
    failureConverterPath: fileURLToPath(new URL('failure-converter.ts', import.meta.url)),
  };
}

/** A payload as JSON writes it: bytes are base64 (Temporal's remote codec protocol). */
export interface JsonPayload {
  metadata?: Record<string, string> | undefined;
  data?: string | undefined;
}

/** The codec in the remote codec protocol. Throws PreconditionError for payloads that it cannot decrypt. */
export interface RemoteCodec {
  encode(payloads: JsonPayload[]): Promise<JsonPayload[]>;
  decode(payloads: JsonPayload[]): Promise<JsonPayload[]>;
}

/** Encryption for Temporal UI and CLI, over HTTP. */
export function createRemoteCodec(ring: PayloadKeys): RemoteCodec {
  const codec = createPayloadCodec(ring);
  return {
    encode: async (payloads) => (await codec.encode(payloads.map(fromJson))).map(toJson),
    decode: async (payloads) => (await codec.decode(payloads.map(fromJson))).map(toJson),
  };
}

function fromJson({ metadata = {}, data = '' }: JsonPayload): Payload {
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  };
}

function toJson({ metadata, data }: Payload): JsonPayload {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
    ),
    data: base64(data ?? new Uint8Array()),
  };
}
