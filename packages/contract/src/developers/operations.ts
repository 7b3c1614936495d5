import * as z from 'zod/mini'
import { tagUnknown } from '../assets/problems.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { ApiKey, ApiKeyOnce, ApiKeyState, CreateApiKeyBody, RotateApiKeyBody, UpdateApiKeyBody } from './api-key.ts'
import { apiKeyBeyondYou, apiKeyExpired, tooManyApiKeys } from './problems.ts'

/** Newest first. A member limited by tags sees the keys that are limited to some of theirs. */
export const listApiKeys = operation({
  name: 'developers.listApiKeys',
  method: 'GET',
  path: '/api-keys',
  summary: 'List API keys',
  access: 'developers.view',
  query: z.extend(PageQuery, {
    /** In name and prefix. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
    state: z.optional(ApiKeyState),
  }),
  reply: page(ApiKey),
})

export const getApiKey = operation({
  name: 'developers.getApiKey',
  method: 'GET',
  path: '/api-keys/{api_key_id}',
  summary: 'One API key',
  access: 'developers.view',
  reply: ApiKey,
  problems: [notFound],
})

export const createApiKey = operation({
  name: 'developers.createApiKey',
  method: 'POST',
  path: '/api-keys',
  summary: 'Make an API key; its secret is shown this once',
  access: 'developers.edit',
  body: CreateApiKeyBody,
  reply: ApiKeyOnce,
  seals: true,
  problems: [apiKeyBeyondYou, tooManyApiKeys, tagUnknown],
})

export const updateApiKey = operation({
  name: 'developers.updateApiKey',
  method: 'PATCH',
  path: '/api-keys/{api_key_id}',
  summary: 'Change what an API key is called and may',
  access: 'developers.edit',
  body: UpdateApiKeyBody,
  reply: ApiKey,
  problems: [notFound, apiKeyBeyondYou, tagUnknown],
})

export const rotateApiKey = operation({
  name: 'developers.rotateApiKey',
  method: 'POST',
  path: '/api-keys/{api_key_id}/rotate',
  summary: 'Give an API key a new secret, shown this once; the one before works on for a while',
  access: 'developers.edit',
  body: RotateApiKeyBody,
  reply: ApiKeyOnce,
  seals: true,
  problems: [notFound, apiKeyBeyondYou, apiKeyExpired],
})

export const disableApiKey = operation({
  name: 'developers.disableApiKey',
  method: 'POST',
  path: '/api-keys/{api_key_id}/disable',
  summary: 'Switch an API key off, until it is enabled again',
  access: 'developers.edit',
  reply: ApiKey,
  problems: [notFound],
})

export const enableApiKey = operation({
  name: 'developers.enableApiKey',
  method: 'POST',
  path: '/api-keys/{api_key_id}/enable',
  summary: 'Switch an API key on again',
  access: 'developers.edit',
  reply: ApiKey,
  problems: [notFound, apiKeyBeyondYou],
})

export const deleteApiKey = operation({
  name: 'developers.deleteApiKey',
  method: 'DELETE',
  path: '/api-keys/{api_key_id}',
  summary: 'Revoke an API key for good',
  access: 'developers.edit',
  problems: [notFound],
})
