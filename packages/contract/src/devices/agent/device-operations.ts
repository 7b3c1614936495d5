import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { claimCodeUnknown, claimSuspended, deviceKeyUnknown } from './device-problems.ts'
import { DesiredState } from './messages.ts'

// The calls that a device makes itself. They are built into its agent: with the words of other calls beside them, each change of those would make another agent.

/** The token is shown here alone. */
export const claimDevice = operation({
  name: 'devices.claimDevice',
  method: 'POST',
  path: '/devices/enrol',
  summary: 'Set a device up by a claim code: its id and token for MQTT',
  access: 'public',
  encryptsReply: true,
  body: z.object({
    code: z.string().check(z.maxLength(40)),
    host_name: z._default(z.string().check(z.maxLength(255)), 'unknown'),
    arch: z._default(z.string().check(z.maxLength(20)), ''),
    agent_version: z._default(z.string().check(z.maxLength(40)), ''),
    /** PEM. With its key the device may sign in to the broker by TLS, in place of the token. No authority has to sign it. */
    certificate: z.optional(z.string().check(z.maxLength(8000))),
  }),
  /** The broker's ports; a server of before says nothing of that for TLS. `mqtts_ca`: PEM of certificates that no authority signed. */
  reply: z.object({
    device_id: z.string(),
    token: z.string(),
    mqtt_port: z.int(),
    mqtts_port: z.optional(z.int()),
    mqtts_ca: z.optional(z.nullable(z.string())),
  }),
  problems: [claimCodeUnknown, claimSuspended],
})

export const deviceKeyHeader = 'X-Device-Key'

/** `X-Device-Key` is the device's id, a colon and its token. */
export const getDesiredState = operation({
  name: 'devices.getDesiredState',
  method: 'GET',
  path: '/devices/desired',
  summary: 'What a device is to run, for the device itself',
  access: 'public',
  ownKey: deviceKeyHeader,
  reply: DesiredState,
  problems: [deviceKeyUnknown],
})

/** It pulls what the containers of the device are to run at the time, and nothing else. Ask for it before each pull: it ends with the device, or after a day. */
export const getRegistryLogin = operation({
  name: 'devices.getRegistryLogin',
  method: 'GET',
  path: '/devices/registry-login',
  summary: 'What a device pulls images of its account with, for the device itself',
  access: 'public',
  ownKey: deviceKeyHeader,
  reply: z.object({
    /** Where images come from that it is for, as their references begin: `registry.example.com:5000`. */
    hosts: z.array(z.string()),
    username: z.string(),
    password: z.string(),
    expires_at: Time,
  }),
  problems: [deviceKeyUnknown],
})
