import * as z from 'zod/mini'
import { Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { publicKeyUnreadable, signingKeyTaken, tooManySigningKeys } from './problems.ts'
import { AddSigningKeyBody, SigningKey } from './signature.ts'

export const listSigningKeys = operation({
  name: 'registry.listSigningKeys',
  method: 'GET',
  path: '/registry/signing-keys',
  summary: 'Public keys whose signatures of images the account trusts, by name (at most 20)',
  access: 'registry.view',
  reply: z.object({ items: z.array(SigningKey) }),
})

export const addSigningKey = operation({
  name: 'registry.addSigningKey',
  method: 'POST',
  path: '/registry/signing-keys',
  summary: 'Trust the signatures of a public key (PEM: ECDSA P-256, Ed25519, or RSA)',
  access: 'registry.edit',
  body: AddSigningKeyBody,
  reply: SigningKey,
  problems: [publicKeyUnreadable, signingKeyTaken, tooManySigningKeys],
})

export const renameSigningKey = operation({
  name: 'registry.renameSigningKey',
  method: 'PUT',
  path: '/registry/signing-keys/{signing_key_id}/name',
  summary: 'Give a signing key another name',
  access: 'registry.edit',
  body: z.object({ name: Name }),
  reply: SigningKey,
  problems: [notFound, signingKeyTaken],
})

export const removeSigningKey = operation({
  name: 'registry.removeSigningKey',
  method: 'DELETE',
  path: '/registry/signing-keys/{signing_key_id}',
  summary: 'Trust the signatures of a public key no longer',
  access: 'registry.edit',
  problems: [notFound],
})
