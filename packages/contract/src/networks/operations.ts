import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { Network } from './network.ts'

export const listNetworks = operation({
  name: 'networks.listNetworks',
  method: 'GET',
  path: '/networks',
  summary: 'List the mobile networks we know',
  access: 'signed_in',
  keys: true,
  reply: z.object({ items: z.array(Network) }),
})
