import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { App } from '../../kernel/app.ts'
import { AgentNodes, sumsFile } from './agent-nodes.ts'

/** Below it the installation script finds Node.js for a device. */
const below = '/agent/node'

/** Serves what agents run on, to everybody as the agent itself: a list of names with their SHA-256, as `sha256sum` writes it, and the archives. */
export function mountAgentNodes(server: FastifyInstance, { config, log }: Pick<App, 'config' | 'log'>) {
  const nodes = new AgentNodes(config, { onFailure: (error) => log.error({ err: error }, 'Node.js could not be packed for devices') })
  server.get(`${below}/${sumsFile}`, async (_request, reply) => {
    const lines = (await nodes.list()).map(({ sha256, file }) => `${sha256}  ${file}\n`)
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(lines.join(''))
  })
  server.get<{ Params: { file: string } }>(`${below}/:file`, async ({ params }, reply) => {
    const node = (await nodes.list()).find(({ file }) => file === params.file)
    if (!node) throw new Problem(notFound)
    return reply
      .type('application/gzip')
      .headers({ 'content-length': node.bytes, 'cache-control': 'no-cache' })
      .send(createReadStream(node.path, { end: node.bytes - 1 }))
  })
}
