module github.com/vaa-eval/vaa-go

go 1.21
