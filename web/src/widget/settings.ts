/** The widget's settings, as passed to the frame. */
export type Settings = {
  id: string;
  kind: 'call' | 'chat' | 'follow';
  title: string;
  theme: { accent: string | null; mode: 'auto' | 'light' | 'dark'; position: 'left' | 'right' };
  tag: { name: string; title: string };
  allowed_origins: string[];
  enabled: boolean;
  follow_url: string;
};
