import type { StaticPage } from '#server/http/pages/static-files.ts';

/** The browsable description of the API. Swagger UI is served from our own files; nothing is loaded from other sites. */
export const API_DOCS: StaticPage[] = [
  {
    url: '/api/docs',
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Florka API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`,
  },
  {
    url: '/api/docs/start.js',
    type: 'text/javascript; charset=utf-8',
    body: "SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true });\n",
  },
];
