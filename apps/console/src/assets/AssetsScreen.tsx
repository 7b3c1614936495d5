import { SkeletonLines } from '../ui/Skeleton.tsx'

export default function AssetsScreen() {
  return <SkeletonLines />
}
