import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { DeployedImage, Digest, Image, Registry, Repository, RepositorySort, Slug, Tag, TagName, TagSort } from './image.ts'
import { imageNeeded, registrySuspended, robotNameTaken, slugSettled, slugTaken, tagProtected, tooManyRobots } from './problems.ts'
import { CreateRobotBody, Robot, RobotOnce } from './robot.ts'

/** So many devices take another tag by one call. */
export const mostDevicesAtOnce = 100

export const getRegistry = operation({
  name: 'registry.getRegistry',
  method: 'GET',
  path: '/registry',
  summary: 'The name of the account in the registry, and how much of its storage is used',
  access: 'registry.view',
  reply: Registry,
})

/** The first part of the names of its repositories, and the user name of `docker login`. */
export const chooseSlug = operation({
  name: 'registry.chooseSlug',
  method: 'PUT',
  path: '/registry/slug',
  summary: 'Choose the name of the account in the registry, before its first repository',
  access: 'registry.edit',
  body: z.object({ slug: Slug }),
  reply: Registry,
  problems: [slugTaken, slugSettled],
})

export const listRepositories = operation({
  name: 'registry.listRepositories',
  method: 'GET',
  path: '/registry/repositories',
  summary: 'Repositories, by name unless asked otherwise',
  access: 'registry.view',
  query: z.extend(PageQuery, {
    search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    sort: z._default(RepositorySort, 'name'),
  }),
  reply: page(Repository),
})

/** `repository_id`: the id, or the name as in `docker pull`, written for an address (`acme%2Fapp`). */
export const getRepository = operation({
  name: 'registry.getRepository',
  method: 'GET',
  path: '/registry/repositories/{repository_id}',
  summary: 'One repository',
  access: 'registry.view',
  reply: Repository,
  problems: [notFound],
})

/** Its tags and images; what other repositories have too stays there. */
export const deleteRepository = operation({
  name: 'registry.deleteRepository',
  method: 'DELETE',
  path: '/registry/repositories/{repository_id}',
  summary: 'Delete a repository with all its images',
  access: 'registry.edit',
  problems: [notFound, tagProtected, registrySuspended],
})

/** `search` is in a name or a digest; `name` is the whole name of one. */
export const listTags = operation({
  name: 'registry.listTags',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/tags',
  summary: 'Tags of a repository, the newest first unless asked otherwise',
  access: 'registry.view',
  query: z.extend(PageQuery, {
    search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    name: z.optional(TagName),
    sort: z._default(TagSort, '-pushed_at'),
  }),
  reply: page(Tag),
  problems: [notFound],
})

/** A tag of this name that is there already names this image from then on. */
export const addTag = operation({
  name: 'registry.addTag',
  method: 'POST',
  path: '/registry/repositories/{repository_id}/tags',
  summary: 'Give an image of a repository another tag',
  access: 'registry.edit',
  body: z.object({ tag: TagName, digest: Digest }),
  reply: Tag,
  problems: [notFound, tagProtected, registrySuspended],
})

/** A protected tag can be neither moved nor deleted, by a push neither. A suspended account protects tags, and ends no protection. */
export const setTagProtection = operation({
  name: 'registry.setTagProtection',
  method: 'PUT',
  path: '/registry/repositories/{repository_id}/tags/{tag}/protection',
  summary: 'Protect a tag, or end that',
  access: 'registry.edit',
  body: z.object({ protected: z.boolean() }),
  reply: Tag,
  problems: [notFound, registrySuspended],
})

export const deleteTag = operation({
  name: 'registry.deleteTag',
  method: 'DELETE',
  path: '/registry/repositories/{repository_id}/tags/{tag}',
  summary: 'Delete a tag; the image that it names stays',
  access: 'registry.edit',
  problems: [notFound, tagProtected, registrySuspended],
})

export const getImage = operation({
  name: 'registry.getImage',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}',
  summary: 'An image: its platforms, configuration and layers',
  access: 'registry.view',
  reply: Image,
  problems: [notFound],
})

/** Containers that name it by its digest, or by one of its tags. What it lists are assets, so it needs `assets.view`; those limited to tags get their assets alone. */
export const listDeployedImage = operation({
  name: 'registry.listDeployedImage',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/devices',
  summary: 'The devices on which an image is deployed',
  access: 'assets.view',
  query: PageQuery,
  reply: page(DeployedImage),
  problems: [notFound],
})

/** The same of all images of a repository: whatever container names it, by any tag or digest. */
export const listDeployed = operation({
  name: 'registry.listDeployed',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/devices',
  summary: 'The devices on which images of a repository are deployed',
  access: 'assets.view',
  query: PageQuery,
  reply: page(DeployedImage),
  problems: [notFound],
})

/**
 * Each container of these devices that names the repository gets the tag: it is pulled from where the container has it now, and all else of it stays. One
 * that names the tag already and runs what it names now is left as it is (`already`), and so is one on a device that gets the versions of a fleet and is not its pilot
 * (`in_fleets`): it would differ from its version. So is one on a device whose agent is too old to read the image (`agents_too_old`): it would refuse
 * all that is wanted of it. The figures count containers.
 */
export const deployTag = operation({
  name: 'registry.deployTag',
  method: 'POST',
  path: '/registry/repositories/{repository_id}/tags/{tag}/deploy',
  summary: 'Have containers of many devices run another tag of their repository',
  access: 'assets.edit',
  body: z.object({
    asset_ids: z
      .array(z.string())
      .check(z.minLength(1, 'Choose at least one device'), z.maxLength(mostDevicesAtOnce, `Choose at most ${mostDevicesAtOnce} devices`)),
  }),
  reply: z.object({ changed: z.int(), already: z.int(), in_fleets: z.int(), agents_too_old: z.int() }),
  problems: [notFound],
})

/** `images`: how many others went with it, because it named them as an index or they were attached to it, and nothing else needs them. */
export const deleteImage = operation({
  name: 'registry.deleteImage',
  method: 'DELETE',
  path: '/registry/repositories/{repository_id}/images/{digest}',
  summary: 'Delete an image with all tags that name it, and with what it names as an index; say which tags those were',
  access: 'registry.edit',
  reply: z.object({ tags: z.array(z.string()), images: z.int() }),
  problems: [notFound, tagProtected, imageNeeded, registrySuspended],
})

export const listRobots = operation({
  name: 'registry.listRobots',
  method: 'GET',
  path: '/registry/robots',
  summary: 'Robots of the registry, by name (at most 100)',
  access: 'registry.view',
  reply: z.object({ items: z.array(Robot) }),
})

/** Its secret is the password of `docker login`, with the name of the account as user name. A suspended account makes none that pushes. */
export const createRobot = operation({
  name: 'registry.createRobot',
  method: 'POST',
  path: '/registry/robots',
  summary: 'Make a robot that pulls, or pushes too, and show its secret once',
  access: 'registry.edit',
  body: CreateRobotBody,
  reply: RobotOnce,
  problems: [robotNameTaken, tooManyRobots, registrySuspended],
  encryptsReply: true,
})

export const deleteRobot = operation({
  name: 'registry.deleteRobot',
  method: 'DELETE',
  path: '/registry/robots/{robot_id}',
  summary: 'Delete a robot: its secret opens nothing from now on',
  access: 'registry.edit',
  problems: [notFound],
})

/** What who pulls, pushes or deletes by the registry's protocol must hold: the permission of the call that does the same. */
export const protocolAccess = { pull: getImage.access, push: addTag.access, delete: deleteImage.access } as const
