import { useQuery } from '@tanstack/react-query'
import { getApplication } from '@masthead/contract/devices/agent/operations'
import { listRepositories, listTags } from '@masthead/contract/registry/operations'
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { q } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { FormText } from '../../kit/FormField.tsx'
import { platformsWords, registryHost } from '../../registry/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { fits, ownImage } from './own-image.ts'

/** The image of a container: those of the account's registry are offered, and one that the device cannot run is named as such. */
export function ImageField({ asset_id }: { asset_id: string }) {
  const list = useId()
  const image = (useFormContext<{ image: string }>().watch('image') ?? '').trim()
  const mayPick = useMay(listRepositories)
  const host = registryHost()
  const named = ownImage(image, host)
  const ofRepositories = { page_size: 100 }
  const first = useQuery({ ...q(listRepositories, { query: ofRepositories }), enabled: mayPick }).data
  // Of more than a page what is typed is looked for.
  const typed = useQuery({
    ...q(listRepositories, { query: { ...ofRepositories, search: named?.repository ?? '' } }),
    enabled: named !== null && typeof first?.next === 'string',
  }).data
  const repositories = [...(first?.items ?? []), ...(typed?.items ?? [])]
  const repository = repositories.find(({ name }) => name === named?.repository)
  const ofTags = { params: { repository_id: repository?.id ?? '' }, query: { page_size: 100 } }
  const firstTags = useQuery({ ...q(listTags, ofTags), enabled: repository !== undefined }).data
  const typedTags = useQuery({
    ...q(listTags, { ...ofTags, query: { ...ofTags.query, search: named?.digest ?? named?.tag ?? '' } }),
    enabled: repository !== undefined && typeof firstTags?.next === 'string',
  }).data
  const tags = repository && [...(firstTags?.items ?? []), ...(typedTags?.items ?? [])]
  const tag = tags?.find(({ name, digest }) => (named?.digest ? digest === named.digest : name === named?.tag))
  const device = useQuery(q(getApplication, { params: { asset_id } })).data?.device
  const options = new Set(
    repository && tags ? tags.map(({ name }) => `${host}/${repository.name}:${name}`) : repositories.map(({ name }) => `${host}/${name}:`)
  )
  return (
    <>
      <FormText
        name="image"
        label="Image and tag"
        placeholder="registry.example.com/acme/relay:2.4"
        list={list}
        {...(repositories.length > 0 && { hint: 'Images of your registry are offered as you type' })}
        mono
        spellCheck={false}
      />
      <datalist id={list}>
        {[...options].map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      {tag && device && !fits(tag.platforms, device.architecture) && (
        <Notice tone="warn">
          The image is built for {platformsWords(tag.platforms)}, and the processor of this device is {device.architecture}: its container
          will not start there.
        </Notice>
      )}
    </>
  )
}
