import { operation } from '../kernel/operation.ts'
import { Account } from './account.ts'

export const getAccount = operation({
  name: 'account.getAccount',
  method: 'GET',
  path: '/account',
  summary: 'The account being acted on',
  access: 'self',
  keys: true,
  reply: Account,
})
