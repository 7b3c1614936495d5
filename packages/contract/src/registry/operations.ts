import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { Registry, Repository } from './image.ts'

export const getRegistry = operation({
  name: 'registry.getRegistry',
  method: 'GET',
  path: '/registry',
  summary: 'The slug of the account, and how much of its room is used',
  access: 'registry.view',
  reply: Registry,
})

export const listRepositories = operation({
  name: 'registry.listRepositories',
  method: 'GET',
  path: '/registry/repositories',
  summary: 'Repositories, by name',
  access: 'registry.view',
  query: PageQuery,
  reply: page(Repository),
})
