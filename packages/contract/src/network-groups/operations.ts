import * as z from 'zod/mini'
import { Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { AttachedSims, GroupFields, GroupPreview, NetworkGroup } from './network-group.ts'
import { groupBuiltIn, groupNameTaken, groupsOff, tooManyGroups } from './problems.ts'

/** All groups of the account (at most some 200): the default one, the built-in ones, and its own by name. A member limited by tags counts their SIMs alone. */
export const listNetworkGroups = operation({
  name: 'network_groups.listNetworkGroups',
  method: 'GET',
  path: '/network-groups',
  summary: 'List network groups',
  access: 'network_groups.view',
  reply: z.object({ items: z.array(NetworkGroup) }),
})

/** With where its SIMs are attached now, and how many they are: some are attached in two places. */
export const getNetworkGroup = operation({
  name: 'network_groups.getNetworkGroup',
  method: 'GET',
  path: '/network-groups/{network_group_id}',
  summary: 'One network group, and where its SIMs are now',
  access: 'network_groups.view',
  reply: z.extend(NetworkGroup, { attached: z.array(AttachedSims), sims_attached: z.int() }),
  problems: [notFound],
})

export const createNetworkGroup = operation({
  name: 'network_groups.createNetworkGroup',
  method: 'POST',
  path: '/network-groups',
  summary: 'Create a network group',
  access: 'network_groups.edit',
  body: z.extend(GroupFields, { name: Name }),
  reply: NetworkGroup,
  problems: [groupNameTaken, tooManyGroups, groupsOff],
})

/** Changes nothing: what saving would do to SIMs and their sessions. */
export const previewNetworkGroup = operation({
  name: 'network_groups.previewNetworkGroup',
  method: 'POST',
  path: '/network-groups/{network_group_id}/preview',
  summary: 'What a change of a network group would do',
  access: 'network_groups.edit',
  body: z.extend(GroupFields, {
    /** The group is deleted, and the rules are those of the one that its SIMs move to: what they were raised to ends with it. */
    deletes: z.optional(z.boolean()),
  }),
  reply: GroupPreview,
  problems: [notFound, groupsOff],
})

/** Holds for the next Access-Request at once; sessions on what is no longer allowed are cut, and SIMs beyond a new limit blocked, within seconds. */
export const updateNetworkGroup = operation({
  name: 'network_groups.updateNetworkGroup',
  method: 'PATCH',
  path: '/network-groups/{network_group_id}',
  summary: 'Change a network group',
  access: 'network_groups.edit',
  body: GroupFields,
  reply: NetworkGroup,
  problems: [notFound, groupNameTaken, groupBuiltIn, groupsOff],
})

export const deleteNetworkGroup = operation({
  name: 'network_groups.deleteNetworkGroup',
  method: 'DELETE',
  path: '/network-groups/{network_group_id}',
  summary: 'Delete a network group and move its SIMs to the default one',
  access: 'network_groups.edit',
  problems: [notFound, groupBuiltIn, groupsOff],
})
