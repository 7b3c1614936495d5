import * as ops from '@masthead/contract/backoffice/broker-operations'
import { reach, read, write, type Route } from '../../kernel/http/routes.ts'
import { recordList } from '../staff/staff-log.ts'
import { listBrokerClients, listBrokers } from './brokers.ts'
import { cutBrokerClient } from './cut-client.ts'

export const staffBrokerRoutes: Route[] = [
  read(ops.listBrokers, async ({ db, actor }) => ({ items: await listBrokers(db, actor.at) })),
  reach(ops.listBrokerClients, async ({ app: { db }, actor, query }) => {
    await recordList(db, actor, 'devices at the broker', query.search)
    return listBrokerClients(db, query)
  }),
  write(ops.cutBrokerClient, ({ db, actor, params, body }) => cutBrokerClient(db, actor, params.any_device_id, body.reason)),
]
