import * as ops from '@masthead/contract/developers/operations'
import { read, write, type Route } from '../kernel/http/routes.ts'
import { createApiKey } from './create-api-key.ts'
import { getApiKey, listApiKeys } from './key-queries.ts'
import { deleteApiKey, disableApiKey, enableApiKey } from './switch-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import { updateApiKey } from './update-api-key.ts'

export const developerRoutes: Route[] = [
  read(ops.listApiKeys, ({ db, actor, query }) => listApiKeys(db, actor, query)),
  read(ops.getApiKey, ({ db, actor, params }) => getApiKey(db, actor, params.api_key_id)),
  write(ops.createApiKey, ({ db, actor, body }) => createApiKey(db, actor, body)),
  write(ops.updateApiKey, ({ db, actor, params, body }) => updateApiKey(db, actor, params.api_key_id, body)),
  write(ops.rotateApiKey, ({ db, actor, params, body }) => rotateApiKey(db, actor, params.api_key_id, body)),
  write(ops.disableApiKey, ({ db, actor, params }) => disableApiKey(db, actor, params.api_key_id)),
  write(ops.enableApiKey, ({ db, actor, params }) => enableApiKey(db, actor, params.api_key_id)),
  write(ops.deleteApiKey, ({ db, actor, params }) => deleteApiKey(db, actor, params.api_key_id)),
]
