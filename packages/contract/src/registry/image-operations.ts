import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { Comparison } from './comparison.ts'
import { Digest } from './image.ts'
import { LayerFiles } from './layer-file.ts'
import { layerUnreadable } from './problems.ts'
import { Vulnerabilities } from './vulnerability.ts'

export const getLayerFiles = operation({
  name: 'registry.getLayerFiles',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/layers/{layer}/files',
  summary: 'The files of a layer of an image, by the place of the layer: 1 is the first (at most 10,000 files)',
  access: 'registry.view',
  reply: LayerFiles,
  problems: [notFound, layerUnreadable],
})

export const getVulnerabilities = operation({
  name: 'registry.getVulnerabilities',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/vulnerabilities',
  summary: 'What advisories say about the packages of an image, as its newest SBOM lists them',
  access: 'registry.view',
  reply: Vulnerabilities,
  problems: [notFound],
})

export const getImageComparison = operation({
  name: 'registry.getImageComparison',
  method: 'GET',
  path: '/registry/repositories/{repository_id}/images/{digest}/comparison',
  summary: 'What an image has that another of the repository (`before`) has not, and the other way round',
  access: 'registry.view',
  query: z.object({ before: Digest }),
  reply: Comparison,
  problems: [notFound],
})
