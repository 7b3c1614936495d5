import { createHash, randomBytes } from 'node:crypto'

/** 192 random bits: they need no slow hash. */
const secretBytes = 24

/** Letters, digits, `-` and `_`: a token stands in MQTT topics, where `/`, `+` and `#` mean something. */
export const makeToken = (): string => randomBytes(secretBytes).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const tokenPlace = (device_id: string): string => `device ${device_id}`
